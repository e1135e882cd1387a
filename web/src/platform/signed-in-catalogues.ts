// Where the texts are of My Salon, of conversations and whatever else is for the signed-in alone. `locales/en.ts` leaves out the same.
import type { CatalogueFile } from './catalogues.ts'

export const signedInCatalogues = import.meta.glob<CatalogueFile>(
  './*/{business-check,calendars,chat,customers,dashboard,day-sheet,diary,fees,institute-settings,rearranging,diary-sessions,leave-requests,payouts,sales,series,services,settings,setup,team,till}.json',
  { base: '/src/locales' },
)
