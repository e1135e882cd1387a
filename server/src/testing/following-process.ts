/** A process that hears of events, for the bench: sends what it heard, each event with the time of the machine's own clock, which all its processes share. */
import { openDatabase } from '#/platform/database.ts'
import { followEvents } from '#/platform/events.ts'
import { openLog } from '#/platform/log.ts'

const [url = ''] = process.argv.slice(2)
const log = openLog('error')
const database = openDatabase(url, { size: 1, onError: (error) => log.error({ err: error }, 'a connection broke') })
const follower = await followEvents(database.apart, log, (events) => {
  const at = Number(process.hrtime.bigint()) / 1e6
  process.send?.(events.map(({ id }) => [id, at]))
})
process.once('disconnect', () => process.exit())
process.once('message', async () => {
  await follower.stop()
  await database.close()
  process.disconnect?.()
})
process.send?.('ready')
