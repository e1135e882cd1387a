// What is done at a visit and by whom: services from the menu, each with a member or whoever is free.
import type { Diary } from '@soigne/contract/diary'
import type { Service } from '@soigne/contract/institutes'
import { useId, useState } from 'react'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { priceAtDesk, usePriceText } from '#/prices.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Field } from '#/ui/field.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import styles from './booking.module.css'

/** A service of the visit, with a member or whoever is free. */
export type Line = { serviceId: string; staffId: string }
export const anyone = 'any'

export const performersOf = (diary: Diary, serviceId: string) => diary.members.filter((member) => member.services.includes(serviceId))

export const minutesOf = (service: Service, staffId: string): number =>
  service.performers.find((one) => one.staffId === staffId)?.durationMinutes ?? service.durationMinutes

type ServicesProps = {
  lines: readonly Line[]
  menu: readonly Service[]
  diary: Diary
  staffId: string | null
  onChange: (lines: Line[]) => void
}

function LineRow({
  line,
  service,
  diary,
  onChange,
  onRemove,
}: {
  line: Line
  service: Service
  diary: Diary
  onChange: (line: Line) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('diary')
  const name = useId()
  const times = useTimes()
  const price = usePriceText()
  const members = performersOf(diary, line.serviceId)
  return (
    <li className={styles.line}>
      <p className={styles.lineHead}>
        <span className="medium">{service.name}</span>
        <span className="small muted nowrap">{times.duration(minutesOf(service, line.staffId))}</span>
        <bdi className="strong">{price(priceAtDesk(service, line.staffId))}</bdi>
        <IconButton icon="close" iconSize={17} label={t('removeService', { name: service.name })} onClick={onRemove} />
      </p>
      <fieldset className={styles.members}>
        <legend className="visually-hidden">{t('withFor', { name: service.name })}</legend>
        {[{ _id: anyone, name: t('anyone'), imageUrl: null }, ...members].map((member) => (
          <label key={member._id} className={styles.member}>
            <input
              type="radio"
              name={name}
              checked={line.staffId === member._id}
              onChange={() => onChange({ ...line, staffId: member._id })}
            />
            {member._id === anyone ? (
              <Icon name="users" size={20} />
            ) : (
              <FaceImage name={member.name} photoUrl={member.imageUrl} size={28} />
            )}
            <bdi>{member.name}</bdi>
          </label>
        ))}
      </fieldset>
    </li>
  )
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function Picker({
  menu,
  diary,
  staffId,
  onPick,
}: Pick<ServicesProps, 'menu' | 'diary' | 'staffId'> & { onPick: (service: Service) => void }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const price = usePriceText()
  const [search, setSearch] = useState('')
  const own = (service: Service) => staffId !== null && performersOf(diary, service._id).some(({ _id }) => _id === staffId)
  const offered = menu.filter((service) => performersOf(diary, service._id).length > 0 && fold(service.name).includes(fold(search.trim())))
  const sorted = offered.toSorted((a, b) => Number(own(b)) - Number(own(a)))
  return (
    <>
      {menu.length > 8 && (
        <Field
          label={t('findService')}
          labelHidden
          type="search"
          placeholder={t('findService')}
          value={search}
          start={<Icon name="search" size={19} />}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <ul className={styles.menu} aria-label={t('fields.services')}>
        {sorted.map((service) => (
          <li key={service._id}>
            <button type="button" className={styles.row} onClick={() => onPick(service)}>
              <span className={styles.lines}>
                <span className="medium">{service.name}</span>
              </span>
              <span className="small muted nowrap">{times.duration(minutesOf(service, staffId ?? anyone))}</span>
              <bdi className="strong nowrap">{price(priceAtDesk(service, staffId))}</bdi>
            </button>
          </li>
        ))}
        {sorted.length === 0 && <li className={styles.nobody}>{t('noService')}</li>}
      </ul>
    </>
  )
}

/** Most services of one visit, as the contract says. */
const mostLines = 8

export function ServicesField({ lines, menu, diary, staffId, onChange }: ServicesProps) {
  const { t } = useTranslation('diary')
  const [isPicking, setIsPicking] = useState(false)
  function pick(service: Service) {
    const wished = lines.at(-1)?.staffId ?? staffId
    const isAble = performersOf(diary, service._id).some(({ _id }) => _id === wished)
    onChange([...lines, { serviceId: service._id, staffId: isAble && wished !== null ? wished : anyone }])
    setIsPicking(false)
  }
  return (
    <section className={styles.field} aria-label={t('fields.services')}>
      <h3 className="label-heading">{t('fields.services')}</h3>
      {lines.length > 0 && (
        <ul className={styles.lineList}>
          {lines.map((line, index) => {
            const service = menu.find(({ _id }) => _id === line.serviceId)
            if (!service) return null
            return (
              <LineRow
                key={`${line.serviceId}${index}`}
                line={line}
                service={service}
                diary={diary}
                onChange={(changed) => onChange(lines.map((one, at) => (at === index ? changed : one)))}
                onRemove={() => onChange(lines.filter((_one, at) => at !== index))}
              />
            )
          })}
        </ul>
      )}
      {(isPicking || lines.length === 0) && <Picker menu={menu} diary={diary} staffId={staffId} onPick={pick} />}
      {lines.length > 0 && lines.length < mostLines && !isPicking && (
        <Button variant="text" size="small" icon="plus" className={styles.another} onClick={() => setIsPicking(true)}>
          {t('anotherService')}
        </Button>
      )}
    </section>
  )
}
