/** Before the tests of each file: what the product limits so that nobody waits too long says nothing on a machine that is busy with tests. */
import { giveTime } from '#/platform/database.ts'

giveTime(60_000)
