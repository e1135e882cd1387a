// Method and path of every call that a screen of the dashboard makes. Made from contract/src by `npm run generate`; not to be changed here.
import type { Calls } from '@soigne/contract/calls'

export const dashboardCallAddresses = {
  instituteVisits: 'GET /api/v1/secure/mysalon/appointments',
  services: 'GET /api/v1/secure/mysalon/services',
  serviceStarters: 'GET /api/v1/secure/mysalon/services/starters',
  addService: 'POST /api/v1/secure/mysalon/services',
  orderServices: 'PUT /api/v1/secure/mysalon/services/order',
  changeService: 'PUT /api/v1/secure/mysalon/services/:id',
  removeService: 'DELETE /api/v1/secure/mysalon/services/:id',
  publishInstitute: 'POST /api/v1/secure/mysalon/institute',
  setupState: 'GET /api/v1/secure/mysalon/setup',
  withdrawClaim: 'DELETE /api/v1/secure/mysalon/setup/claim',
  setupPlace: 'GET /api/v1/secure/mysalon/setup/place',
  setupListings: 'GET /api/v1/secure/mysalon/setup/listings',
  sendSetupPicture: 'POST /api/v1/secure/mysalon/setup/pictures',
} as const satisfies Partial<Record<keyof Calls, string>>
