/** npm start: builds if needed and runs the product. */
import { buildWeb } from './build-web.ts'

process.env['NODE_ENV'] ??= 'production'
buildWeb()
await import('../server/src/main.ts')
