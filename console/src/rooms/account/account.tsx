/** Who one is here, how one signs in, and where one is signed in. */
import { usePerson } from '../../session/use-session.ts'
import { Page } from '../../ui/page.tsx'
import { NameCard } from './name-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SecondFactorCard } from './second-factor-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function Room() {
  const person = usePerson()
  return (
    <Page narrow title="Your account" description={`${person.email}, the same in all of your workspaces.`}>
      <NameCard key={person.name} name={person.name} />
      <PasswordCard />
      <SecondFactorCard isOn={person.twoFactorEnabled} />
      <SessionsCard />
    </Page>
  )
}
