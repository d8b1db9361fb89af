/** Works on background runs, as a server does, until it is killed. */
import { openDatabase } from '../../platform/database/open.ts'
import { startRunProcess } from '../run-processes.ts'

const { settings, modelServerUrl } = JSON.parse(process.argv[2] ?? '')
const { worker } = startRunProcess(await openDatabase(settings), modelServerUrl)
worker.start()
console.log('ready')
