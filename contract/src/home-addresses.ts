/** Putting the address of a visit at home right after it was booked. */
import * as z from 'zod/mini'
import { appointment, homeAddressInput } from './appointments.ts'
import { defineCalls } from './define.ts'
import { diaryVisit } from './diary.ts'
import { id } from './wire.ts'

/** The address of one's own visit. */
export const homeAddressCalls = defineCalls({
  correctHome: {
    method: 'PUT',
    path: '/api/v1/secure/appointments/:id/home',
    access: { of: 'self', verified: true },
    tag: 'appointments',
    summary:
      'Put the address of a visit at home right, until somebody is on the way there; who goes there is told. The answer does not repeat it',
    params: z.object({ id }),
    body: z.object({ home: homeAddressInput }),
    idempotent: true,
    answer: appointment,
    refusals: ['wrong_state', 'too_late', 'outside_radius', 'idempotency_conflict'],
  },
})

/** The same for the institute, in its calendar. */
export const diaryHomeCalls = defineCalls({
  correctDiaryHome: {
    method: 'PUT',
    path: '/api/v1/secure/mysalon/appointments/:id/home',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary:
      'Put the address of a visit at home right, until the visit is over; its client and who goes there are told. Nobody learns the one before, or this one, by the answer',
    params: z.object({ id }),
    /** The institute may go further than it says online. */
    body: z.object({ home: homeAddressInput, version: z.optional(z.int()) }),
    idempotent: true,
    answer: diaryVisit,
    refusals: ['wrong_state', 'changed_meanwhile', 'idempotency_conflict', 'forbidden'],
  },
})
