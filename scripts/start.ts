/** npm start: builds if needed and runs the product. */
import { buildWeb } from './build-web.ts'
import { whenParentEnds } from './with-parent.ts'

process.env['NODE_ENV'] ??= 'production'
buildWeb()
// As if the signal had come here; without npm nobody stands between.
if (process.env['npm_lifecycle_event']) whenParentEnds(() => process.emit('SIGTERM'))
await import('../server/src/main.ts')
