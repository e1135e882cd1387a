// Method and path of every call that a screen of the dashboard makes. Made from contract/src by `npm run generate`; not to be changed here.
import type { Calls } from '@soigne/contract/calls'

export const dashboardCallAddresses = {
  instituteVisits: 'GET /api/v1/secure/mysalon/appointments',
  cancelInstituteVisit: 'PUT /api/v1/secure/mysalon/appointments/:id/cancel',
  moveInstituteVisit: 'PUT /api/v1/secure/mysalon/appointments/:id/move',
  diary: 'GET /api/v1/secure/mysalon/diary',
  diaryMonth: 'GET /api/v1/secure/mysalon/diary/month',
  diaryVisit: 'GET /api/v1/secure/mysalon/appointments/:id',
  bookForClient: 'POST /api/v1/secure/mysalon/appointments',
  noteAttendance: 'PUT /api/v1/secure/mysalon/appointments/:id/attendance',
  noteVisit: 'PUT /api/v1/secure/mysalon/appointments/:id/note',
  resizeVisit: 'PUT /api/v1/secure/mysalon/appointments/:id/duration',
  undoVisitChange: 'PUT /api/v1/secure/mysalon/appointments/:id/undo',
  diaryTimes: 'GET /api/v1/secure/mysalon/diary/times',
  whyNot: 'GET /api/v1/secure/mysalon/diary/why',
  blockTime: 'POST /api/v1/secure/mysalon/blocked-times',
  moveBlockedTime: 'PUT /api/v1/secure/mysalon/blocked-times/:id',
  unblockTime: 'DELETE /api/v1/secure/mysalon/blocked-times/:id',
  customers: 'GET /api/v1/secure/mysalon/customers',
  serviceStarters: 'GET /api/v1/secure/mysalon/services/starters',
  publishInstitute: 'POST /api/v1/secure/mysalon/institute',
  setupState: 'GET /api/v1/secure/mysalon/setup',
  withdrawClaim: 'DELETE /api/v1/secure/mysalon/setup/claim',
  setupPlace: 'GET /api/v1/secure/mysalon/setup/place',
  setupListings: 'GET /api/v1/secure/mysalon/setup/listings',
  sendSetupPicture: 'POST /api/v1/secure/mysalon/setup/pictures',
} as const satisfies Partial<Record<keyof Calls, string>>
