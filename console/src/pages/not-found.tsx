/** An address that leads nowhere. */
import { ButtonLink } from '../ui/button.tsx'
import { DoorFrame } from './door-frame.tsx'

export const NotFound = () => (
  <DoorFrame title="There is no such page" description="The link may be old, or a letter is missing.">
    <ButtonLink to="/" variant="primary" size="large" wide>
      To the overview
    </ButtonLink>
  </DoorFrame>
)
