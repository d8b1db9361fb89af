/** What is thought of an answer: good or not, and why. */
import type { Run } from '@atrium/sdk'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { useApiMutation } from '../../api/queries.ts'
import { classNames } from '../../ui/class-names.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextareaField } from '../../ui/field.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useMayChange } from './use-ownership.ts'

type Rating = 'positive' | 'negative'
type FeedbackInput = { rating: Rating; comment?: string } | null

const ratings = [
  { rating: 'positive', label: 'Good answer', icon: ThumbsUp },
  { rating: 'negative', label: 'Bad answer', icon: ThumbsDown },
] as const

/** A press says it, a second press takes it back; why is asked for afterwards, and need not be said. */
export function FeedbackButtons({ run }: { run: Pick<Run, 'id' | 'feedback' | 'ownerId'> }) {
  const mayChange = useMayChange(run)
  const [asking, setAsking] = useState<Rating | null>(null)
  const [given, setGiven] = useState<Rating | null>(run.feedback?.rating ?? null)
  const { mutate, error, isPending } = useApiMutation(
    async (atrium, feedback: FeedbackInput) => {
      if (feedback === null) await atrium.runs.deleteFeedback(run.id)
      else await atrium.runs.giveFeedback(run.id, feedback)
      return feedback
    },
    { changes: [['runs', run.id]] },
  )
  if (!mayChange) return null
  const say = (feedback: FeedbackInput, after?: () => void) =>
    mutate(feedback, {
      onSuccess: () => {
        setGiven(feedback?.rating ?? null)
        after?.()
      },
    })
  return (
    <span className="inline-flex items-center gap-0.5">
      {ratings.map(({ rating, label, icon: Shape }) => (
        <Tooltip key={rating} text={label}>
          <button
            type="button"
            aria-label={label}
            aria-pressed={given === rating}
            disabled={isPending}
            onClick={() => (given === rating ? say(null) : say({ rating }, () => setAsking(rating)))}
            className={classNames(
              'inline-flex size-8 items-center justify-center rounded-md transition-colors hover:bg-hover hover:text-ink',
              given === rating ? 'bg-accent-soft text-accent-text' : 'text-muted',
            )}
          >
            <Shape aria-hidden size={16} />
          </button>
        </Tooltip>
      ))}
      {asking !== null && (
        <WhyDialog
          rating={asking}
          error={error}
          busy={isPending}
          onClose={() => setAsking(null)}
          onSay={comment => say({ rating: asking, comment }, () => setAsking(null))}
        />
      )}
    </span>
  )
}

type WhyDialogProps = {
  rating: Rating
  error: unknown
  busy: boolean
  onClose: () => void
  onSay: (comment: string) => void
}

function WhyDialog({ rating, error, busy, onClose, onSay }: WhyDialogProps) {
  const [comment, setComment] = useState('')
  return (
    <FormDialog
      onClose={onClose}
      size="small"
      title={rating === 'positive' ? 'What was good?' : 'What was wrong?'}
      description="Your rating is kept already. Words help those who improve the agent."
      submitLabel="Send"
      cancelLabel="Skip"
      busy={busy}
      disabled={comment.trim() === ''}
      error={error}
      onSubmit={() => onSay(comment.trim())}
    >
      <TextareaField label="In your words" rows={3} maxLength={4_000} value={comment} onChange={setComment} />
    </FormDialog>
  )
}
