/** Requests about customer records, each about records of the institute, and the ids of records next door. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AccessRequest, Recipe } from './access-recipes.ts'
import type { AccessWorld } from './access-world.ts'
import type { MadeInstitute } from './factories.ts'

/** A new record. */
export async function recordAt({ t }: Pick<AccessWorld, 't'>, { id }: Pick<MadeInstitute, 'id'>, firstName = 'Camille'): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`insert into customers (institute_id, first_name) values (${id}, ${firstName}) returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
const theirRecord = (world: AccessWorld): Promise<string> => recordAt(world, world.theirs)

const ofRecord = (more: (world: AccessWorld) => AccessRequest = () => ({})): Recipe => ({
  make: async (world) => ({ params: { id: await recordAt(world, world.mine) }, ...more(world) }),
  neighbours: { 'params.id': theirRecord },
})

const formOf = (type: string, name: string, bytes: Buffer, fields: Record<string, string> = {}, field = 'file'): AccessRequest => {
  const texts = Object.entries(fields).map(([key, value]) => `--edge\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
  const head = `--edge\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(texts.join('') + head), bytes, Buffer.from('\r\n--edge--\r\n')]),
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  }
}
const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)
/** A PDF for a record, as a form. */
export const pdfForm = (): AccessRequest => formOf('application/pdf', 'form.pdf', pdf)
/** A business with a document, as a form. */
export const checkForm = (fields: Record<string, string>): AccessRequest =>
  formOf('application/pdf', 'extract.pdf', pdf, fields, 'documents')
/** A list of clients, as a form. */
export const csvForm = (text: string | Buffer, fields?: Record<string, string>): AccessRequest =>
  formOf('text/csv', 'clients.csv', Buffer.from(text), fields)

async function fileOf({ t }: AccessWorld, customerId: string, { id }: MadeInstitute): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into customer_files (customer_id, institute_id, file_key, kind, name, added_at)
    values (${customerId}, ${id}, ${`private/${randomUUID().replaceAll('-', '')}.pdf`}, 'document', 'a', now()) returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
async function consentOf({ t }: AccessWorld, customerId: string, { id }: MadeInstitute): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into customer_consents (customer_id, institute_id, title, body, signed_by, signed_at)
    values (${customerId}, ${id}, 'a', 'a', 'a', now()) returning id`.execute(t.db)
  return rows[0]?.id ?? ''
}
async function mergeAt(world: AccessWorld, at: MadeInstitute): Promise<string> {
  const [kept, merged] = [await recordAt(world, at), await recordAt(world, at)]
  const standing = {
    firstName: 'a',
    lastName: '',
    phone: null,
    email: null,
    locale: null,
    birthday: null,
    alert: null,
    notes: '',
    tags: [],
    blockedAt: null,
  }
  const whole = { ...standing, createdAt: '2026-01-01T00:00:00Z', userId: null, health: null }
  const moved = { visits: [], files: [], consents: [], openings: [], of: [], to: [], after: whole }
  const { rows } = await sql<{ id: string }>`insert into customer_merges (institute_id, kept_id, merged_id, before, moved, merged_at)
    values (${at.id}, ${kept}, ${merged}, ${JSON.stringify(whole)}::jsonb, ${JSON.stringify(moved)}::jsonb, ${new Date(world.t.clock.now())}) returning id`.execute(
    world.t.db,
  )
  return rows[0]?.id ?? ''
}

export const customerRecipes = {
  customers: { make: () => ({}) },
  addCustomer: { make: () => ({ body: { firstName: 'Camille', email: `${randomUUID()}@people.test` } }) },
  customer: ofRecord(),
  changeCustomer: ofRecord(() => ({ body: { alert: 'Rings twice' } })),
  customerVisits: ofRecord(),
  blockCustomer: ofRecord(() => ({ body: { isBlocked: true } })),
  openCustomerHealth: ofRecord(),
  changeCustomerHealth: ofRecord(() => ({ body: { allergies: 'Acrylates', formulas: '' } })),
  addCustomerFile: ofRecord(pdfForm),
  removeCustomerFile: {
    async make(world) {
      const id = await recordAt(world, world.mine)
      return { params: { id, fileId: await fileOf(world, id, world.mine) } }
    },
    neighbours: { 'params.id': theirRecord, 'params.fileId': async (world) => fileOf(world, await theirRecord(world), world.theirs) },
  },
  addCustomerConsent: ofRecord(() => ({ body: { title: 'Patch test', text: 'I was told.', signedBy: 'Camille' } })),
  withdrawCustomerConsent: {
    async make(world) {
      const id = await recordAt(world, world.mine)
      return { params: { id, consentId: await consentOf(world, id, world.mine) } }
    },
    neighbours: { 'params.id': theirRecord, 'params.consentId': async (world) => consentOf(world, await theirRecord(world), world.theirs) },
  },
  relateCustomer: {
    make: async (world) => ({
      params: { id: await recordAt(world, world.mine), relatedId: await recordAt(world, world.mine) },
      body: { kind: 'guardian' },
    }),
    neighbours: { 'params.id': theirRecord, 'params.relatedId': theirRecord },
  },
  unrelateCustomer: {
    async make(world) {
      const [id, relatedId] = [await recordAt(world, world.mine), await recordAt(world, world.mine)]
      await sql`insert into customer_relations (institute_id, customer_id, related_id, kind, created_at) values (${world.mine.id}, ${id}, ${relatedId}, 'family', now())`.execute(
        world.t.db,
      )
      return { params: { id, relatedId } }
    },
    neighbours: { 'params.id': theirRecord, 'params.relatedId': theirRecord },
  },
  customerDuplicates: {
    make: async (world) => ({ query: { of: await recordAt(world, world.mine) } }),
    neighbours: { 'query.of': theirRecord },
  },
  separateCustomers: {
    make: async (world) => ({ body: { oneId: await recordAt(world, world.mine), otherId: await recordAt(world, world.mine) } }),
    neighbours: { 'body.oneId': theirRecord, 'body.otherId': theirRecord },
  },
  mergeCustomers: {
    make: async (world) => ({ body: { keepId: await recordAt(world, world.mine), mergeId: await recordAt(world, world.mine) } }),
    neighbours: { 'body.keepId': theirRecord, 'body.mergeId': theirRecord },
  },
  undoMerge: {
    make: async (world) => ({ params: { id: await mergeAt(world, world.mine) } }),
    neighbours: { 'params.id': (world) => mergeAt(world, world.theirs) },
  },
  importCustomers: { make: () => csvForm(`name,email\nCamille,${randomUUID()}@people.test\n`) },
  exportCustomers: { make: () => ({}) },
  exportInstitute: { make: () => ({ body: { health: true } }) },
} satisfies Record<string, Recipe>
