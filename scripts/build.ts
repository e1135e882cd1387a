/** npm run build: builds the web anew. */
import { buildWeb } from './build-web.ts'

buildWeb({ force: true })
