/** Opens an agent to anonymous visitors of a page, within limits, and closes it again. */
import { type Agent, type Atrium, NotFoundError, type PublicChat } from '@atrium/sdk'
import { useRef, useState } from 'react'
import { useForm } from '../../api/form.ts'
import { Loaded } from '../../api/loaded.tsx'
import { useApiQuery } from '../../api/queries.ts'
import { useMay, useScope } from '../../api/scope.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choices.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SelectField, TextareaField, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notices.tsx'
import { SaveForm } from '../../ui/save-form.tsx'

type Place = { agent: Agent; origin: string; server: string }

/** Null where the agent is not open. */
const readChat = async (atrium: Atrium, agentId: string, options: { signal: AbortSignal }) => {
  try {
    return await atrium.agents.publicChat.get(agentId, options)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

export const usePublicChat = (agentId: string, enabled = true) =>
  useApiQuery(['agents', agentId, 'public-chat'], (atrium, options) => readChat(atrium, agentId, options), {
    enabled,
  })

export function PublicChatForm(place: Place) {
  const mayWrite = useMay('agents:write')
  const chat = usePublicChat(place.agent.id)
  return (
    <Loaded query={chat}>
      {data => (
        <>
          <State chat={data} agentId={place.agent.id} mayWrite={mayWrite} />
          {mayWrite && <Settings key={data?.updatedAt} {...place} chat={data} />}
        </>
      )}
    </Loaded>
  )
}

function State({ chat, agentId, mayWrite }: { chat: PublicChat | null; agentId: string; mayWrite: boolean }) {
  const [closing, setClosing] = useState(false)
  if (chat === null) {
    return (
      <Notice title="Not open">
        No one can chat without a token of your server. Open the agent only if visitors may read what it
        knows.
      </Notice>
    )
  }
  const { usedToday, perDay, origins } = chat
  const close = mayWrite && (
    <Button size="small" onClick={() => setClosing(true)}>
      Close to visitors…
    </Button>
  )
  return (
    <>
      <Notice tone="good" title="Open to anybody" action={close}>
        <p>
          On {origins.join(', ')}. Visitors began {usedToday.runs} of {perDay.maxRuns} runs today.
        </p>
      </Notice>
      {closing && (
        <ConfirmDialog
          title="Close the chat to visitors?"
          confirmLabel="Close the chat"
          done="The chat is closed to visitors"
          onClose={() => setClosing(false)}
          onConfirm={atrium => atrium.agents.publicChat.delete(agentId)}
          changes={[['agents', agentId, 'public-chat']]}
        >
          <p>Visitors can no longer ask, and answers in progress end. What they have asked stays.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Permissions of a key that only answers for visitors. */
const needed = ['agents:run', 'agents:read', 'knowledge:read', 'integrations:read'] as const
const newKey = 'new'
const mostKeys = { pageSize: 100 }

function Settings({ agent, origin, server, chat }: Place & { chat: PublicChat | null }) {
  const { environment } = useScope()
  const [asFrame, setAsFrame] = useState(chat?.origins.includes(server) ?? false)
  // Before it is open, the page that is chosen above.
  const [pages, setPages] = useState(chat?.origins.filter(one => one !== server).join('\n') ?? null)
  const keys = useApiQuery(['api-keys', 'for-visitors'], (atrium, options) =>
    atrium.apiKeys.list(mostKeys, options).page(),
  )
  // Should opening fail behind it, the next attempt takes the key that was made.
  const made = useRef<string | null>(null)
  const keyFor = async (atrium: Atrium, keyId: string): Promise<string> => {
    if (keyId !== newKey) return keyId
    const name = `Visitors of ${agent.name}`.slice(0, 200)
    made.current ??= (await atrium.apiKeys.create({ name, environment, permissions: [...needed] })).id
    return made.current
  }
  const { of, sending } = useForm({
    initial: {
      keyId: chat?.keyId ?? newKey,
      'perDay.maxRuns': String(chat?.perDay.maxRuns ?? 500),
      'perDay.maxCostUsd': String(chat?.perDay.maxCostUsd ?? ''),
      'visitorPerHour.maxRuns': String(chat?.visitorPerHour.maxRuns ?? 20),
    },
    write: async (atrium, fields) => {
      const perHour = Number(fields['visitorPerHour.maxRuns'])
      const cost = fields['perDay.maxCostUsd'].trim()
      return atrium.agents.publicChat.set(agent.id, {
        keyId: await keyFor(atrium, fields.keyId),
        origins: originsOf(pages ?? origin, asFrame ? server : null),
        functions: chat?.functions ?? [],
        visitorPerHour: { ...chat?.visitorPerHour, maxRuns: perHour },
        addressPerHour: { ...chat?.addressPerHour, maxRuns: 3 * perHour },
        perDay: {
          ...chat?.perDay,
          maxRuns: Number(fields['perDay.maxRuns']),
          maxCostUsd: cost === '' ? null : Number(cost),
        },
      })
    },
    changes: [['agents', agent.id, 'public-chat'], ['api-keys']],
    done: () => ({ title: 'The chat is open to visitors' }),
  })
  const usable = (keys.data?.items ?? []).filter(
    key =>
      key.environment === environment &&
      key.status === 'active' &&
      ['agents:run', 'agents:read'].every(permission => key.permissions.some(one => one === permission)),
  )
  return (
    <SaveForm submitLabel={chat === null ? 'Open to anybody' : 'Save'} {...sending}>
      {pages !== null && (
        <TextareaField
          label="Origins of your pages"
          hint="One on each line."
          rows={2}
          value={pages}
          onChange={setPages}
        />
      )}
      <SelectField
        label="Key that answers for visitors"
        hint="Their runs reach what it reaches and count for it. Revoke it, and the chat is closed."
        {...of('keyId')}
        options={[
          { value: newKey, label: 'A new key, for this alone' },
          ...usable.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="Runs a day, of all"
          hint="In UTC. This stops abuse."
          type="number"
          min={1}
          required
          {...of('perDay.maxRuns')}
        />
        <TextField
          label="US dollars a day, of all"
          optional
          hint="Needs a model whose price is known."
          type="number"
          min={0}
          step="any"
          {...of('perDay.maxCostUsd')}
        />
        <TextField
          label="Runs an hour, of one visitor"
          hint="Three times as many of one address."
          type="number"
          min={1}
          required
          {...of('visitorPerHour.maxRuns')}
        />
      </div>
      <Checkbox
        label="Also as a frame or a link"
        hint={`Opens it on ${server} as well.`}
        checked={asFrame}
        onChange={setAsFrame}
      />
    </SaveForm>
  )
}

function originsOf(pages: string, server: string | null): string[] {
  const named = [...pages.split(/\s+/), server ?? ''].filter(one => one !== '')
  return [...new Set(named)]
}
