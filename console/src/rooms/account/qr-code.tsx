/** A QR code as one path, since the policy allows no image from an address of its own making. */
import qrcode from 'qrcode-generator'

/** The quiet edge that scanners need, in modules. */
const margin = 4

/** Black on white in both themes: not every scanner reads it the other way round. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = draw(text)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto block size-52 max-w-full rounded-md"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}

function draw(text: string): { size: number; path: string } {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const modules = code.getModuleCount()
  const places = Array.from({ length: modules }, (_, place) => place)
  const path = places.flatMap(row =>
    places
      .filter(column => code.isDark(row, column))
      .map(column => `M${column + margin} ${row + margin}h1v1h-1z`),
  )
  return { size: modules + 2 * margin, path: path.join('') }
}
