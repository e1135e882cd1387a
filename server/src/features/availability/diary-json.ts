// The parts of a diary that come as JSON, as tests hold them against what the database gives.
import { locales, venue } from '@soigne/contract/wire'
import * as z from 'zod/mini'
import type { BusyRow, DaysRow, MemberJson, ResourceJson, ServiceJson, SessionJson, ShiftJson, LocalizedText } from './store.ts'

const number = z.nullable(z.int())
const text = z.nullable(z.string())
const words: z.ZodMiniType<LocalizedText> = z.partialRecord(z.enum(locales), z.string())
const breaks = z.array(z.object({ opensAt: z.int(), closesAt: z.int() }))
const days: z.ZodMiniType<DaysRow> = z.tuple([z.string(), z.string(), number, number])
const shift: z.ZodMiniType<ShiftJson> = z.object({ opensAt: z.int(), closesAt: z.int(), breaks: z.exactOptional(breaks) })

export const openingHoursJson = z.array(z.tuple([z.int(), z.int(), z.int()]))
export const closuresJson = z.array(days)

export const servicesJson: z.ZodMiniType<ServiceJson[]> = z.array(
  z.object({
    id: z.string(),
    category: z.string(),
    section: words,
    name: words,
    audience: z.string(),
    priceKind: z.enum(['fixed', 'from', 'on_request']),
    priceAmount: number,
    parts: z.tuple([z.int(), z.int(), z.int()]),
    buffers: z.tuple([z.int(), z.int()]),
    isSequential: z.boolean(),
    latestStart: number,
    noticeMinutes: number,
    minimumAge: number,
    resourceType: text,
    prerequisites: z.nullable(z.array(z.tuple([z.string(), z.int(), z.int()]))),
    laterPrices: z.nullable(z.array(z.tuple([z.string(), z.enum(['fixed', 'from']), z.int()]))),
    capacity: number,
    venue,
    isSignature: z.boolean(),
    bookedRank: number,
  }),
)

export const rotasJson: z.ZodMiniType<NonNullable<MemberJson['rotas']>> = z.array(
  z.object({
    weeks: z.int(),
    anchorDay: z.string(),
    validFrom: text,
    validTo: text,
    shifts: z.nullable(z.array(z.tuple([z.int(), z.int(), z.int(), z.int(), breaks]))),
  }),
)
export const overridesJson: z.ZodMiniType<NonNullable<MemberJson['overrides']>> = z.array(z.tuple([z.string(), z.array(shift)]))
/** With the id of each. */
export const absencesJson: z.ZodMiniType<[id: string, ...DaysRow][]> = z.array(
  z.tuple([z.string(), z.string(), z.string(), number, number]),
)

export const membersJson: z.ZodMiniType<MemberJson[]> = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    title: words,
    imageUrl: z.string(),
    bookableOnline: z.boolean(),
    performs: z.nullable(z.array(z.tuple([z.string(), number, number, number, number]))),
    rotas: z.nullable(rotasJson),
    overrides: z.nullable(overridesJson),
    absences: z.nullable(z.array(days)),
  }),
)

export const resourcesJson: z.ZodMiniType<ResourceJson[]> = z.array(
  z.object({ id: z.string(), type: z.string(), closures: z.nullable(z.array(z.tuple([z.string(), z.string()]))) }),
)

export const sessionsJson: z.ZodMiniType<SessionJson[]> = z.array(
  z.tuple([z.string(), z.string(), z.string(), text, z.int(), z.int(), z.int(), z.int()]),
)

export const busyJson: z.ZodMiniType<BusyRow[]> = z.array(z.object({ subjectId: z.string(), starts: z.string(), ends: z.string() }))
