/** A reporter of `node --test` that prints nothing but the counts at the end, as JSON, for `run.ts`. */
type TestEvent = { type: string; data: { file?: string; counts?: unknown } }

// biome-ignore lint/style/noDefaultExport: `node --test` takes a reporter only as a default export.
export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    // The summary of the whole run is the one that belongs to no file.
    if (type === 'test:summary' && data.file === undefined) yield JSON.stringify(data.counts)
  }
}
