// What a member is: name, languages, what they do, and when.
import { memberInput, type Team, type TeamMember } from '@soigne/contract/team'
import { languages } from '#/contract/closed-lists.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { useContractForm, useKitField } from '#/kit/form.tsx'
import { fieldsOf, isSame } from '#/kit/over-stored.ts'
import { useLeaveGuard } from '#/leave-guard.ts'
import { paths } from '#/paths.ts'
import { failureText, fieldFailures } from '#/platform/api-error.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { TextArea } from '#/ui/text-area.tsx'
import { showToast } from '#/ui/toasts.ts'
import { mondayOf } from '#/ui/calendar-days.ts'
import { ServicesField } from './services-field.tsx'
import { emptyWeek, wholeWeek } from './shifts.ts'
import { WeeksField } from './weeks-field.tsx'
import styles from './team-member.module.css'

export type MemberValues = z.input<typeof memberInput>

/** As stored; somebody new works when the institute is open, and does everything. */
function valuesOf(team: Team, member: TeamMember | undefined): MemberValues {
  const [rota] = member?.rotas ?? []
  return {
    name: member?.name ?? '',
    title: member?.title ?? {},
    bio: member?.bio ?? {},
    languages: member?.languages ?? [],
    bookableOnline: member?.bookableOnline ?? true,
    services: member?.services ?? team.services.map(({ _id }) => ({ serviceId: _id, minutes: null, priceAmount: null })),
    rota: {
      anchorDay: rota?.anchorDay ?? mondayOf(team.today),
      fromDay: member ? team.today : null,
      weeks: rota?.weeks.map(wholeWeek) ?? [
        member
          ? emptyWeek()
          : wholeWeek(
              Object.fromEntries(
                Object.entries(team.openingHours).map(([day, hours]) => [day, hours.map((one) => ({ ...one, breaks: [] }))]),
              ),
            ),
      ],
    },
  }
}

const localeOf = (language: string): 'en' | 'fr' | 'ar' => (language === 'fr' || language === 'ar' ? language : 'en')

/** The member as they are stored by now. Of several plans of weeks the form shows one: it stays where nobody else has changed any. */
function useStoredNow(member: TeamMember | undefined) {
  const queries = useQueryClient()
  const rotas = useRef(member?.rotas)
  const find = ({ items }: Team) => items.find(({ _id }) => _id === member?._id)
  async function storedNow(read: MemberValues): Promise<MemberValues> {
    const team = await dashboardApi.team({})
    const stored = find(team)
    // Somebody who is gone is refused by the server.
    if (!stored) return read
    const isUntouched = isSame(stored.rotas, rotas.current)
    rotas.current = stored.rotas
    return { ...valuesOf(team, stored), ...(isUntouched && { rota: read.rota }) }
  }
  function keepRotas() {
    const team = queries.getQueryData<Team>(dashboardKeys.team)
    rotas.current = (team && find(team)?.rotas) ?? rotas.current
  }
  return { storedNow, keepRotas }
}

type SendOptions = { onSaved: () => void; keepRotas: () => void }

/** `onSaved`: what was sent is what is stored now. */
function useSend(member: TeamMember | undefined, { onSaved, keepRotas }: SendOptions) {
  const { t } = useTranslation('team')
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (body: z.output<typeof memberInput>, changed: readonly string[]) => {
    if (!member) {
      await dashboardApi.addTeamMember({ body })
      await queries.invalidateQueries({ queryKey: dashboardKeys.all })
      showToast({ type: 'success', title: t('member.added', { name: body.name }) })
      onSaved()
      await navigate(paths.team)
      return
    }
    const { outside } = await dashboardApi.changeTeamMember({ params: { id: member._id }, body: fieldsOf(body, changed) })
    onSaved()
    await queries.invalidateQueries({ queryKey: dashboardKeys.all })
    keepRotas()
    if (outside.length > 0)
      showToast({ type: 'warning', title: t('outside', { count: outside.length }), line: t('outsideText'), durationMs: 9000 })
    else showToast({ type: 'success', title: t('member.saved') })
  }
}

function useMemberForm(team: Team, member: TeamMember | undefined) {
  const leave = useRef(() => {})
  const [saves, setSaves] = useState(0)
  const { storedNow, keepRotas } = useStoredNow(member)
  function onSaved() {
    if (member) setSaves((before) => before + 1)
    else leave.current()
  }
  const send = useSend(member, { onSaved, keepRotas })
  const form = useContractForm(memberInput, {
    defaultValues: valuesOf(team, member),
    storedNow: member && storedNow,
    inParts: ['title', 'bio'],
    refusalOf: (error) => ({ message: failureText(error), fields: fieldFailures(error) }),
    send,
  })
  const { reset, getValues } = form
  // What is stored is where the next changes begin.
  useEffect(() => {
    if (saves > 0) reset(getValues())
  }, [saves, reset, getValues])
  const allowLeaving = useLeaveGuard(form.formState.isDirty)
  useEffect(() => {
    leave.current = allowLeaving
  })
  return form
}

export function MemberForm({ team, member }: { team: Team; member: TeamMember | undefined }) {
  const { t, i18n } = useTranslation('team')
  const own = localeOf(i18n.language)
  const form = useMemberForm(team, member)
  const { errors, isSubmitting } = form.formState
  const spoken = useKitField(form.control, 'languages')
  const services = useKitField(form.control, 'services')
  const rota = useKitField(form.control, 'rota')
  const speaks = spoken.value ?? []
  return (
    <form noValidate className={styles.form} onSubmit={(event) => void form.submit(event)}>
      {form.aboveForm.length > 0 && <Notice tone="error" announce title={form.aboveForm.join(' ')} />}
      <div className={styles.pair}>
        <Field label={t('member.name')} autoComplete="off" error={errors.name?.message} {...form.register('name')} />
        <Field label={t('member.title')} autoComplete="off" error={errors.title?.[own]?.message} {...form.register(`title.${own}`)} />
      </div>
      <fieldset className={styles.chips}>
        <legend className="small strong">{t('member.speaks')}</legend>
        {languages.map((language) => {
          const isOn = speaks.includes(language)
          return (
            <Button
              key={language}
              size="small"
              variant={isOn ? 'soft' : 'outline'}
              icon={isOn ? 'check' : undefined}
              aria-pressed={isOn}
              onClick={() => spoken.onChange(isOn ? speaks.filter((one) => one !== language) : [...speaks, language])}
            >
              {t(`language.${language}`)}
            </Button>
          )
        })}
      </fieldset>
      <TextArea label={t('member.bio')} rows={3} error={errors.bio?.[own]?.message} {...form.register(`bio.${own}`)} />
      <WeeksField
        team={team}
        value={rota.value}
        later={member?.rotas.slice(1) ?? []}
        onChange={rota.onChange}
        isWrong={errors.rota !== undefined}
        isNew={!member}
      />
      <ServicesField team={team} value={services.value ?? []} onChange={services.onChange} isWrong={errors.services !== undefined} />
      <div className={styles.online}>
        <Switch label={t('member.online')} {...form.register('bookableOnline')} />
        <p className="small muted">{t('member.onlineText')}</p>
      </div>
      <div className={styles.submit}>
        <Button type="submit" loading={isSubmitting}>
          {member ? t('save') : t('member.add')}
        </Button>
      </div>
    </form>
  )
}
