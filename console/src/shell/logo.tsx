/** The name and its mark. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-base font-semibold tracking-tight">
      <img src="/icon.svg" alt="" width={size} height={size} />
      Atrium
    </span>
  )
}
