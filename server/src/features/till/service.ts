/** Taking money at the counter, for whoever does so without a request. */
export { sellOverCounter } from './taking.ts'
