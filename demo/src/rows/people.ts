// Rows of accounts, and of what institutes know of those who come.

export interface UserFacts {
  id: string
  email: string
  role: 'isClient' | 'isPro'
  firstName: string
  lastName: string
  /** An instant: when the terms were accepted, and the address verified unless told otherwise. */
  createdAt: string
  verified?: boolean
  passwordHash?: string
  birthday?: string
  locale?: string
}

export type UserRow = ReturnType<typeof userRow>
export const userRow = (facts: UserFacts) => ({
  id: facts.id,
  email: facts.email,
  password_hash: facts.passwordHash ?? null,
  role: facts.role,
  first_name: facts.firstName,
  last_name: facts.lastName,
  phone: null,
  birthday: facts.birthday ?? null,
  locale: facts.locale ?? 'en',
  email_verified_at: facts.verified === false ? null : facts.createdAt,
  terms_accepted_at: facts.createdAt,
  created_at: facts.createdAt,
})

export interface CustomerFacts {
  id: string
  instituteId: string
  firstName: string
  lastName: string
  createdAt: string
  user?: UserRow
  birthday?: string
  notes?: string
}

export type CustomerRow = ReturnType<typeof customerRow>
export const customerRow = (facts: CustomerFacts) => ({
  id: facts.id,
  institute_id: facts.instituteId,
  user_id: facts.user?.id ?? null,
  first_name: facts.firstName,
  last_name: facts.lastName,
  email: facts.user?.email ?? null,
  phone: null,
  birthday: facts.birthday ?? facts.user?.birthday ?? null,
  notes: facts.notes ?? '',
  created_at: facts.createdAt,
})
