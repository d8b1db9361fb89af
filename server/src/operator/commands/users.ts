/** `user create`, `user reset-password`. */
import { firstOwnerEmail } from '../../features/identity/service.ts'
import { roles } from '../../platform/caller.ts'
import { toTimestamp } from '../../platform/clock.ts'
import { parseAddress } from '../../platform/mail/address.ts'
import { setupUrl } from '../../start/first-run.ts'
import { type Command, type CommandInput, inSession, type Outcome, requiredValue } from '../command.ts'
import { OperatorError, UsageError } from '../errors.ts'
import { findWorkspace, operatorCaller, type Session } from '../session.ts'

export const userCommands: Command[] = [
  {
    name: 'user create',
    summary: 'Makes a person, and a member of a workspace where one is named.',
    positionals: [],
    options: {
      email: { value: 'EMAIL', required: true, help: 'Address of the person.' },
      name: { value: 'NAME', help: 'Name of the person; needed where the address is new.' },
      workspace: { value: 'W', help: 'Workspace to join, by id or slug.' },
      role: { value: 'ROLE', choices: roles, help: `Role there: ${roles.join(', ')}; member unless named.` },
    },
    run: inSession(createUser),
  },
  {
    name: 'user reset-password',
    summary: 'Prints a link, once, by which a person chooses a new password; it works for a day.',
    positionals: [],
    options: {
      user: {
        value: 'EMAIL',
        required: true,
        help: `Address of the person; ${firstOwnerEmail} until the setup link has been opened.`,
      },
      'disable-two-factor': {
        value: null,
        help: 'Also turns off the second factor, for who has lost it and the recovery codes.',
      },
    },
    run: inSession(resetPassword),
  },
]

async function createUser(input: CommandInput, session: Session): Promise<Outcome> {
  const { database, services } = session
  const email = parseAddress(requiredValue(input, 'email'))
  if (email === null) throw new UsageError('--email must be an address such as ada@example.com')
  const { name, workspace: idOrSlug } = input.values
  if (idOrSlug === undefined && input.values.role !== undefined) {
    throw new UsageError('--role goes with --workspace')
  }
  const workspace = idOrSlug === undefined ? null : await findWorkspace(session, idOrSlug)
  const role = roles.find(known => known === input.values.role) ?? 'member'
  const json = await database.write(async tx => {
    const known = await services.identity.findByEmail(tx, email)
    if (known !== undefined && workspace === null) {
      throw new OperatorError(`There is a user with the address ${email} already`)
    }
    if (known === undefined && name === undefined) throw new UsageError('--name NAME is required')
    const user =
      known ?? (await services.identity.create(tx, { email, name: name ?? '', emailVerified: false }))
    const person = { id: user.id, email, name: user.name }
    if (workspace === null) return { ...person, memberId: null, workspaceId: null, role: null }
    const caller = operatorCaller(session, workspace)
    const member = await services.members.add(tx, caller, { userId: user.id, role })
    return { ...person, memberId: member.id, workspaceId: workspace.id, role }
  })
  const place = workspace === null ? '' : ` and is ${role} of ${workspace.slug}`
  return { json, lines: [`${email} is ${json.id}${place}.`] }
}

async function resetPassword(input: CommandInput, session: Session): Promise<Outcome> {
  const { database, services, publicUrl } = session
  const email = parseAddress(requiredValue(input, 'user'))
  if (email === null) throw new UsageError('--user must be an address such as ada@example.com')
  const user = await services.identity.findByEmail(database.read, email)
  if (user === undefined) throw new OperatorError(`There is no user with the address ${email}`)
  // The placeholder address cannot sign in: the person who opens the link enters their own.
  const setup = email === firstOwnerEmail ? await services.setup.link() : null
  if (setup !== null) {
    const url = setupUrl(publicUrl(), setup.token)
    const expiresAt = toTimestamp(setup.expiresAt)
    return {
      json: { userId: user.id, email, url, expiresAt },
      lines: [
        `This link names the first owner, as each start prints it. It works once, until ${expiresAt}:`,
        url,
      ],
    }
  }
  const turnOffTwoFactor = input.flags.has('disable-two-factor')
  const { token, expiresAt } = await services.accounts.handOverLink(user.id, { turnOffTwoFactor })
  const url = `${publicUrl()}/reset-password?token=${token}`
  return {
    json: { userId: user.id, email, url, expiresAt: toTimestamp(expiresAt) },
    lines: [`This link sets the password of ${email}. It works once, within a day:`, url],
  }
}
