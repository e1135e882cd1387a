/** What takes time and is no booking of a client: blocked time, leave, the busy time of other calendars, and visits put over others on purpose. */
export { blockTime, type BlockMoved, moveBlockedTime, type TimeToBlock, unblockTime } from './blocked-time.ts'
export { type ExternalTime, syncExternal } from './external-time.ts'
export { type Alongside, type LeaveAsked, leaveHits, type LeaveSet, removeLeave, setLeave } from './leave.ts'
export { type OverbookAsked, type OverbookedVisit, overbookVisit, planOver } from './overbooking.ts'
export { insertWritten, type WrittenVisit } from './overbooking-store.ts'
export { changeWithinWall, checkStretch, type ColumnScope, type DiaryScope, readInstant } from './wall.ts'
export { findTaken, isMember } from './store.ts'
export type { BlockedTime, Stretch, Subject, Taken } from './store.ts'
