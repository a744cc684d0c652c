// In the place of cli/machine/machine-marks in the product that the suite starts: a machine without any mark of a container.
exports.machineMarks = { exists: () => false, read: () => null }
