/** The filter as a parameter of a query string. */
import { Type } from '../../../platform/json-schema/type.ts'
import { filterLimits } from './filter.ts'

export const filterParameter = Type.String({
  minLength: 1,
  maxLength: filterLimits.textLength,
  description:
    'JSON over metadata: `{"field", "op", "value"}` with the operators `eq, ne, in, gt, gte, lt, lte, exists, contains`, joined by `{"and": […]}`, `{"or": […]}` and `{"not": …}`. `$name`, `$title`, `$externalId`, `$mediaType`, `$sizeBytes`, `$createdAt`, `$updatedAt` and `$id` are fields of every document.',
  examples: [
    '{"and":[{"field":"department","op":"eq","value":"people"},{"field":"year","op":"gte","value":2025}]}',
  ],
})
