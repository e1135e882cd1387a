// Which level may do what, as the server has it, and who has a login here.
import type { Permission } from '@soigne/contract/access'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { useQuery } from '@tanstack/react-query'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Logins } from './logins.tsx'
import styles from './institute-settings.module.css'

export type Permissions = Answer<Calls['ownPermissions']>
type Member = Answer<Calls['members']>['items'][number]

/** Dots part the keys of a catalogue. */
type Key<Name extends string> = Name extends `${infer Of}.${infer What}` ? `${Of}_${What}` : never
const keyOf = <Name extends Permission>(name: Name) => name.replace('.', '_') as Key<Name>

const namesOf = (members: readonly Member[], level: string): string =>
  members
    .filter((one) => one.level === level)
    .map(({ firstName, email }) => firstName ?? email)
    .join(', ')

function Table({ data, members }: { data: Permissions; members: readonly Member[] | undefined }) {
  const { t } = useTranslation('institute-settings')
  return (
    <div className={styles.scroll} role="region" aria-label={t('permissions.table')} tabIndex={0}>
      <table className={styles.grants}>
        <caption className="visually-hidden">{t('permissions.table')}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('permissions.what')}</span>
            </th>
            {data.levels.map(({ level }) => (
              <th key={level} scope="col">
                {t(`levels.${level}`)}
                {members && <bdi className="fine muted">{namesOf(members, level) || t('permissions.nobody')}</bdi>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.permissions.map((permission) => (
            <tr key={permission}>
              <th scope="row">{t(`permissions.may.${keyOf(permission)}`)}</th>
              {data.levels.map(({ level, may }) => (
                <td key={level}>
                  {may.includes(permission) ? (
                    <span className={styles.yes}>
                      <Icon name="check" size={16} />
                      <span className="visually-hidden">{t('permissions.yes')}</span>
                    </span>
                  ) : (
                    <span className="muted">
                      <span aria-hidden>–</span>
                      <span className="visually-hidden">{t('permissions.no')}</span>
                    </span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function PermissionsPart({ data }: { data: Permissions }) {
  const { t } = useTranslation('institute-settings')
  const mayChange = data.own.includes('people.change')
  const { data: members } = useQuery({
    queryKey: dashboardKeys.institute.members,
    queryFn: async ({ signal }) => (await dashboardApi.members({}, { signal })).items,
    enabled: mayChange,
  })
  return (
    <div className={styles.wide}>
      <Table data={data} members={members} />
      {mayChange ? members && <Logins members={members} /> : <p className="muted">{t('permissions.ownerOnly')}</p>}
    </div>
  )
}
