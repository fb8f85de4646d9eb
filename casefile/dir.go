package casefile

// Dir is a folder that holds cases, each in a folder of its own. It need not exist until the first case is created:
// one that does not exist holds none.
type Dir string
