/** What servers say when they refuse: in every shape of body, in many words, with numbers and waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APICallError } from '@ai-sdk/provider'
import { failureInAnswer, isWorthAnother, toModelError } from '../model-error.ts'
import type { ModelErrorCode } from './codes.ts'
import { wordsInBody } from './server-words.ts'
import { windowOf } from './too-long.ts'

const now = Date.parse('2026-11-29T12:00:00Z')

function refusal(status: number, body: unknown, headers: Record<string, string> = {}) {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body)
  const error = { message: 'Bad Request', url: 'http://x', requestBodyValues: undefined, statusCode: status }
  return toModelError(new APICallError({ ...error, responseHeaders: headers, responseBody }), now)
}

const codeOf = (status: number, words: string): ModelErrorCode =>
  refusal(status, { error: { message: words } }).code

test('a server’s words reach the operator from any shape of body', () => {
  const words = 'The tenant has been paused.'
  const shapes: unknown[] = [
    { error: { message: words } },
    { error: words },
    { message: words },
    { Message: words, __type: 'ValidationException' },
    { detail: words },
    { detail: [{ loc: ['body', 'x'], msg: words, type: 'value_error' }] },
    { errors: [{ code: 7003, message: words }], success: false },
    { errors: [words] },
    { error: { code: 400, message: 'Upstream failed', metadata: { raw: JSON.stringify({ error: words }) } } },
    { error: { message: JSON.stringify({ error: { message: words } }) } },
    { error_msg: words, error_code: 17 },
    { base_resp: { status_code: 1004, status_msg: words } },
    [{ error: { code: 400, message: words, status: 'FAILED_PRECONDITION' } }],
    { type: 'about:blank', title: 'Bad', status: 400, detail: words },
    { data: { error: { reason: words } } },
    words,
    JSON.stringify(words),
    `<html><head><title>${words}</title></head><body>x</body></html>`,
  ]
  for (const shape of shapes) {
    assert.match(refusal(400, shape).message, /tenant has been paused/, JSON.stringify(shape))
    assert.match(refusal(503, shape).message, /tenant has been paused/, JSON.stringify(shape))
  }
  assert.equal(wordsInBody('').words, null)
  assert.equal(wordsInBody('{}').words, null)
})

test('a prompt that is too long is told by its words, however they are put', () => {
  const things = ['The prompt', 'Your input', 'The conversation', 'Input tokens (9,000)', 'This context']
  const limits = [
    'the maximum length of 4096',
    'the token limit',
    "the model's context window",
    'a window of 4k',
  ]
  const excesses = [
    'exceeds',
    'is longer than',
    'does not fit in',
    'goes beyond',
    'is larger than',
    'overflows',
  ]
  for (const thing of things) {
    for (const limit of limits) {
      for (const excess of excesses) {
        const words = `${thing} ${excess} ${limit}.`
        for (const status of [400, 413, 422, 500])
          assert.equal(codeOf(status, words), 'context_too_long', words)
      }
    }
  }
  for (const words of [
    'Please shorten your messages: the limit is 8192 tokens',
    '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 20 `max_new_tokens`',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    'Range of input length should be [1, 6000]',
    'Reduce the length of the messages or completion',
    'prompt is too long: 210000 tokens > 200000 maximum',
    '输入长度超过模型上下文限制',
  ]) {
    assert.equal(codeOf(400, words), 'context_too_long', words)
  }
})

test('other limits are no prompt that is too long', () => {
  for (const words of [
    'max_tokens is too large: 100000. This model supports at most 4096 completion tokens',
    '`max_tokens` must be less than or equal to `8192`, less than the `context_window` of this model',
    'max_tokens is not supported with this model, use max_completion_tokens',
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a maximum length of 40, but got 60",
    'thinking.budget_tokens must be less than max_tokens',
    'temperature: Input should be less than or equal to 2',
    'messages: at least one message is required',
    'this model does not support tools',
  ]) {
    assert.equal(codeOf(400, words), 'model_request_rejected', words)
  }
  assert.equal(
    codeOf(429, 'Rate limit reached: too many tokens per minute, limit 6000'),
    'model_rate_limited',
  )
})

test('the window and the length of the prompt are read from an error’s numbers', () => {
  for (const [words, most, asked] of [
    [
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens.",
      4097,
      5000,
    ],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000, 210_000],
    ['The input token count (9,577) exceeds the maximum number of tokens allowed (8,192).', 8_192, 9_577],
    ['request (2156 tokens) exceeds the available context size (2048 tokens)', 2_048, 2_156],
    ['Prompt contains 40000 tokens, too large for model with 32768 maximum context length', 32_768, 40_000],
    ['prompt token count of 140000 exceeds the limit of 128000', 128_000, 140_000],
    ['Your request exceeded model token limit: 8192', 8_192, null],
    ['Current length is 9000 while limit is 8192: too long a context', 8_192, 9_000],
  ] as const) {
    const error = refusal(400, { error: { message: words } })
    assert.deepEqual([error.code, error.window], ['context_too_long', { most, asked }], words)
  }
  const inFields = refusal(400, {
    error: { message: 'the request is too long', n_prompt_tokens: 900, n_ctx: 512 },
  })
  assert.deepEqual(inFields.window, { most: 512, asked: 900 })
})

test('a window is read from a server’s list under any of its names', () => {
  for (const entry of [
    { id: 'a', max_model_len: 4_096 },
    { id: 'a', meta: { n_ctx: 4_096, n_ctx_train: 131_072 } },
    { id: 'a', context_length: '4096' },
    { id: 'a', top_provider: { context_length: 4_096 }, context_length: 8_192 },
    { id: 'a', contextWindow: 4_096 },
    { name: 'a', inputTokenLimit: 4_096, outputTokenLimit: 512 },
    { id: 'a', capabilities: { limits: { max_context_window_tokens: 4_096, max_output_tokens: 256 } } },
    { id: 'a', loaded_context_length: 4_096, max_context_length: 32_768 },
  ]) {
    assert.equal(windowOf(entry), 4_096, JSON.stringify(entry))
  }
  assert.equal(windowOf({ id: 'a', created: 1_700_000_000, max_tokens: 4_096 }), null)
})

test('money, keys, models and crowds are told apart, whatever the status', () => {
  for (const [status, words, code] of [
    [402, 'No', 'model_quota_exceeded'],
    [400, 'Your credit balance is too low to access the API.', 'model_quota_exceeded'],
    [403, 'Insufficient account balance', 'model_quota_exceeded'],
    [
      429,
      'You exceeded your current quota, please check your plan and billing details',
      'model_quota_exceeded',
    ],
    [429, 'Quota exceeded for requests per minute', 'model_rate_limited'],
    [400, 'API key not valid. Please pass a valid API key.', 'model_unauthorized'],
    [400, 'The model `big-one` does not exist', 'model_not_found'],
    [422, 'model big-one has been decommissioned', 'model_not_found'],
    [400, 'The server is busy, try again later', 'model_unavailable'],
    [524, 'a timeout occurred', 'model_timeout'],
  ] as const) {
    assert.equal(codeOf(status, words), code, words)
  }
  for (const [body, code] of [
    [{ code: 402, message: 'spent' }, 'model_quota_exceeded'],
    [{ error: { type: 'rate_limit_error', message: 'slow down' } }, 'model_rate_limited'],
    [{ error: { code: 503, message: 'gone' } }, 'model_unavailable'],
    ['anything', 'model_unavailable'],
  ] as const) {
    assert.equal(failureInAnswer(body).code, code, JSON.stringify(body))
  }
})

test('another model is asked unless it would surely fail in the same way', () => {
  for (const words of [
    'this model does not support tools',
    'image input is not supported by this model',
    'the last message must be of the user',
    'No endpoints found that support this request',
  ]) {
    assert.ok(isWorthAnother(refusal(400, { message: words })), words)
  }
  for (const words of [
    'Failed to parse the request: unexpected end of JSON input',
    'Could not process image',
  ]) {
    assert.ok(!isWorthAnother(refusal(400, { message: words })), words)
  }
})

test('the wait that a server asks for is read from its headers, its fields and its words', () => {
  for (const [headers, body, waitMs] of [
    [{ 'retry-after': '7' }, {}, 7_000],
    [{ 'retry-after': 'Sun, 29 Nov 2026 12:00:09 GMT' }, {}, 9_000],
    [{ 'retry-after-ms': '250' }, {}, 250],
    [{ 'x-ratelimit-reset-requests': '1m4s', 'x-ratelimit-remaining-requests': '0' }, {}, 64_000],
    [{ 'x-ratelimit-reset': String(now / 1_000 + 5) }, {}, 5_000],
    [{}, { error: { details: [{ '@type': 'RetryInfo', retryDelay: '34s' }] } }, 34_000],
    [{}, { error: { message: 'Slow down', retry_after: 3 } }, 3_000],
    [{}, { message: 'Slow down', retry_after_ms: 1500 }, 1_500],
    [{}, { error: { message: 'Please try again in 1.2s.' } }, 1_200],
    [{}, { error: 'Please retry after 20 seconds' }, 20_000],
    [{}, { error: 'Try again in 2 minutes and 5 seconds' }, 125_000],
    [{}, { error: 'Try again in 820ms' }, 820],
    [{}, { error: 'Slow down' }, null],
  ] as const) {
    assert.equal(refusal(429, body, headers).retryAfterMs, waitMs, JSON.stringify([headers, body]))
  }
})
