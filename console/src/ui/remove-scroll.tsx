/** Stands in for the package of the same name: what is behind a dialog does not scroll, without a style element. */
import { type ElementType, type ReactNode, useEffect } from 'react'

let locks = 0

type Props = { as?: ElementType; children?: ReactNode; [given: string]: unknown }

/** The names are those by which Radix calls it; what else it hands over concerns the package's own styles. */
export function RemoveScroll({
  as: Wrapper = 'div',
  children,
  allowPinchZoom: _zoom,
  shards: _shards,
  ...rest
}: Props) {
  useEffect(() => {
    const { documentElement: root, body } = document
    // The page stays where it is when its scroll bar goes.
    if (locks === 0) body.style.paddingRight = `${window.innerWidth - root.clientWidth}px`
    locks += 1
    root.dataset.locked = ''
    return () => {
      locks -= 1
      if (locks > 0) return
      body.style.paddingRight = ''
      delete root.dataset.locked
    }
  }, [])
  return <Wrapper {...rest}>{children}</Wrapper>
}
