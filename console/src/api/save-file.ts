/** A file of the API as the browser's download: the address alone would lack the bearer. */
import { useToasts } from '../ui/toast.tsx'

const keptMs = 60_000

export async function saveFile(open: () => Promise<Response>, name: string): Promise<void> {
  const response = await open()
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads it for as long as it writes the file.
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}

/** Where a download fails, a message says so. */
export function useSaveFile(): (open: () => Promise<Response>, name: string) => void {
  const { fail } = useToasts()
  return (open, name) => void saveFile(open, name).catch(fail)
}
