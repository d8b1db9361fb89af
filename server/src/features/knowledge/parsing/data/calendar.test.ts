import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'

const calendar = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n')

test('an event is its summary, with when, where, who and what about', async () => {
  const { text, title } = await readDocument(
    calendar(
      'X-WR-CALNAME:Team',
      'BEGIN:VEVENT',
      'SUMMARY:Quarterly review\\, part 2',
      'DTSTART;TZID=Europe/Berlin:20260301T093000',
      'DTEND;TZID=Europe/Berlin:20260301T110000',
      'LOCATION:Köln',
      'ORGANIZER;CN="Ann: Lead":mailto:ann@example.com',
      'ATTENDEE;CN=Bob;ROLE=REQ-PARTICIPANT:mailto:bob@example.com',
      'ATTENDEE:mailto:eve@example.com',
      'RRULE:FREQ=WEEKLY;BYDAY=MO,WE',
      'DESCRIPTION:First line\\nsecond li',
      ' ne goes on',
      'BEGIN:VALARM',
      'DESCRIPTION:Reminder',
      'END:VALARM',
      'END:VEVENT',
      'BEGIN:VTODO',
      'SUMMARY:Write it down',
      'DUE;VALUE=DATE:20260305',
      'END:VTODO',
    ),
    'team.ics',
  )
  assert.equal(title, 'Team')
  assert.equal(
    text,
    'Quarterly review, part 2\n\nWhen: 2026-03-01 09:30 Europe/Berlin – 2026-03-01 11:00 Europe/Berlin\nRepeats: weekly, byday MO WE\nWhere: Köln\nOrganizer: Ann: Lead <ann@example.com>\nAttendees: Bob <bob@example.com>, eve@example.com\n\nFirst line\nsecond line goes on\n\nWrite it down\n\nDue: 2026-03-05',
  )
})

test('an event without an end, and one that is cut off, are read', async () => {
  const cut = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Cut off\nDTSTART:20260301T0930'
  assert.equal((await readDocument(cut, 'a.ics')).text, 'Cut off\n\nWhen: 20260301T0930')
})

test('components nested without end, and a line of megabytes, do no harm', async () => {
  const deep = `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(100_000)}SUMMARY:Innermost\n`
  assert.match((await readDocument(deep, 'a.ics')).text, /Innermost/)
  const long = calendar(
    'BEGIN:VEVENT',
    `SUMMARY:${'x'.repeat(3_000_000)}`,
    `X-A;${'b'.repeat(500_000)}`,
    'END:VEVENT',
  )
  assert.equal((await readDocument(long, 'a.ics')).text.length, 3_000_000)
})
