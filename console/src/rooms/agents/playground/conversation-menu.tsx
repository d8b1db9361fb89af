/** The latest conversations with the agent, to go on with one of them. */
import { History } from 'lucide-react'
import { useApiQuery } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuChoices } from '../../../ui/menu.tsx'

type ConversationMenuProps = { agentId: string; present: string; onChoose: (id: string) => void }

export function ConversationMenu({ agentId, present, onChoose }: ConversationMenuProps) {
  const { data } = useApiQuery(['agents', agentId, 'conversations'], (atrium, options) =>
    atrium.conversations.list({ agentId, pageSize: 15 }, options).page(),
  )
  if (data === undefined || data.items.length === 0) return null
  return (
    <Menu
      trigger={
        <Button size="small" icon={History}>
          Earlier
        </Button>
      }
    >
      <MenuChoices
        label="Earlier conversations"
        value={present}
        onChange={onChoose}
        choices={data.items.map(({ id, name }) => ({
          value: id,
          label: (
            <span dir="auto" className="line-clamp-1 max-w-80 break-all">
              {name}
            </span>
          ),
        }))}
      />
    </Menu>
  )
}
