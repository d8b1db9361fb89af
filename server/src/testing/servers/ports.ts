/** Whether something listens at a port of the loopback address: a program may name its port before it does. */
import { once } from 'node:events'
import { connect } from 'node:net'

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isConnected
}
