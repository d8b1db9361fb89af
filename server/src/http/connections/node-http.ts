/**
 * What the server takes from Node's `http`. An `import` of it reads all that it exports, and thereby loads a client and
 * WebSockets that nothing here uses: 40 ms at the start, and 11 MB.
 */
export const { createServer, maxHeaderSize, STATUS_CODES } = process.getBuiltinModule('node:http')
