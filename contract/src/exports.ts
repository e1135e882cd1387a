/** Taking everything of an institute away. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'

/** The file of everything that is kept of an institute. */
export const exportCalls = defineCalls({
  exportInstitute: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/export',
    access: { of: 'institute', may: 'institute.export' },
    tag: 'institute settings',
    summary: 'Everything that is kept of my institute: a zip of institute.json, CSV files and the visits as iCalendar',
    body: z.object({
      /** With what is kept of clients’ health; its reading is noted in each record. */
      health: z._default(z.boolean(), false),
    }),
    answer: 'application/zip',
  },
})
