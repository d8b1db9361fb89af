/** The queue behind each kind of mail: tried again for a while, unless the server refuses the mail for good. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { minuteMs, secondMs } from '../clock.ts'
import type { Job, Queue } from '../jobs/job.ts'
import { type Mail, MailError, type Mailer } from './mailer.ts'

export function mailQueue<Payload>(options: {
  mailer: Mailer
  maxAttempts: number
  maxBackoffMs: number
  /** Null if the mail is no longer wanted. */
  write: (payload: Payload) => Promise<Mail | null>
  /** Once the mail server has taken it on. */
  sent?: (job: Job<Payload>) => Promise<void>
  refused: (job: Job<Payload>, error: MailError) => Promise<void>
  onDead?: NonNullable<Queue<Payload>['onDead']>
}): Queue<Payload> {
  const { mailer, maxAttempts, maxBackoffMs, write, sent, refused, onDead } = options
  return withoutUndefined<Queue<Payload>>({
    concurrency: 2,
    leaseMs: minuteMs,
    maxAttempts,
    timeoutMs: 30 * secondMs,
    backoffMs: 30 * secondMs,
    maxBackoffMs,
    async handle(job) {
      const mail = await write(job.payload)
      if (mail === null) return
      try {
        await mailer.send(mail)
      } catch (error) {
        if (!(error instanceof MailError) || error.retryable) throw error
        return refused(job, error)
      }
      await sent?.(job)
    },
    onDead,
  })
}
