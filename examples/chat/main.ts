/** A chat in the terminal. The agent looks up orders by a function of this program: type a question, or end with Ctrl-D. */
import { createInterface } from 'node:readline'
import { Atrium } from '@atrium/sdk'

const atrium = new Atrium({ baseUrl: process.env.ATRIUM_URL, apiKey: process.env.ATRIUM_API_KEY })

/** What this program knows, and the server does not. */
const orders = new Map([
  [7, { state: 'shipped', carrier: 'Northway' }],
  [8, { state: 'packed', carrier: null }],
])

const tools = {
  look_up_order: {
    description: 'Finds an order of the customer by its number.',
    schema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
    run({ number }: { number: number }) {
      const order = orders.get(number)
      // The model reads the message, and tells the customer.
      if (order === undefined) throw new Error(`There is no order ${number}`)
      return order
    },
  },
}

const instructions = 'You answer customers of a shop. Look orders up before you speak of them.'
const agent = await atrium.agents.create({ name: 'Shop', instructions, tools: [] })
let conversation = {}
for await (const prompt of createInterface({ input: process.stdin })) {
  for await (const event of atrium.agents.stream(agent.id, { prompt, tools, ...conversation })) {
    if (event.type === 'text.delta') process.stdout.write(event.text)
    if ('run' in event) conversation = { conversationId: event.run.conversationId }
  }
  process.stdout.write('\n')
}
await atrium.agents.delete(agent.id)
