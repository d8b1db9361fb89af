/** The thread that strangers' schemas and their expressions run in: it is ended where they run away. */
import { parentPort } from 'node:worker_threads'
import type { SchemaWork } from './schema-messages.ts'
import { createSchemaWork } from './schema-work.ts'

const work = createSchemaWork()
parentPort?.postMessage('ready')
parentPort?.on('message', (message: SchemaWork) => parentPort?.postMessage(work(message)))
