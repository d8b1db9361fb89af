/** Waits for what others do, where nothing tells that it is done. */

/** Asks again and again until the answer is true; throws after a minute, which a busy machine may take. */
export async function eventually(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It never happened that ${what}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
