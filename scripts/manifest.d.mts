/** Lists what a built program in this directory consists of, by hash. */
export function writeManifest(dist: string): void
