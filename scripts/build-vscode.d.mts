/** Writes the schema of the contract into a copy of the extension's manifest. */
export function writeToolSchema(file: string): Promise<void>
