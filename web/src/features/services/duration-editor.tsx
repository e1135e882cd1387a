// How the time of a service runs: a bar to scale whose handles are dragged or moved with the arrow keys, and the same minutes to type.
import type { Menu } from '@soigne/contract/services'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { Field } from '#/ui/field.tsx'
import { Notice } from '#/ui/notice.tsx'
import { fittingService, lengthOf, partsOfLength, withoutWait, withWait, wordIn } from './menu.ts'
import type { ServiceForm } from './service-form.tsx'
import styles from './editor.module.css'

const step = 5
const presets = [20, 40, 60, 80, 100]

type PartName = 'activeMinutes' | 'idleMinutes' | 'activeAfterMinutes' | 'bufferAfterMinutes'
type Part = { name: PartName; label: 'work' | 'wait' | 'finish' | 'clean'; least: number; most: number }
const work: Part = { name: 'activeMinutes', label: 'work', least: 5, most: 720 }
const wait: Part = { name: 'idleMinutes', label: 'wait', least: 5, most: 480 }
const finish: Part = { name: 'activeAfterMinutes', label: 'finish', least: 5, most: 720 }
const clean: Part = { name: 'bufferAfterMinutes', label: 'clean', least: 0, most: 240 }

const within = (minutes: number, { least, most }: Part): number => Math.min(most, Math.max(least, minutes))
const known = (minutes: number | undefined): number => (minutes === undefined || Number.isNaN(minutes) ? 0 : minutes)

/** Minutes as they are typed: whole, or wrong and said so. */
function useMinutes({ control }: ServiceForm) {
  const [active, idle, after, cleanUp] = useWatch({
    control,
    name: ['activeMinutes', 'idleMinutes', 'activeAfterMinutes', 'bufferAfterMinutes'],
  })
  return { activeMinutes: known(active), idleMinutes: known(idle), activeAfterMinutes: known(after), bufferAfterMinutes: known(cleanUp) }
}
type Minutes = ReturnType<typeof useMinutes>

type HandleProps = { part: Part; minutes: number; setMinutes: (minutes: number) => void; minuteWidth: () => number }

/** At the end of a part; what it moves is the length of that part. */
function Handle({ part, minutes, setMinutes, minuteWidth }: HandleProps) {
  const { t } = useTranslation('services')
  const times = useTimes()
  const from = useRef<{ x: number; minutes: number; width: number; direction: number } | null>(null)
  function press(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId)
    const direction = event.currentTarget.closest('[dir="rtl"]') ? -1 : 1
    from.current = { x: event.clientX, minutes, width: minuteWidth(), direction }
  }
  function drag(event: PointerEvent) {
    const start = from.current
    if (!start) return
    const moved = ((event.clientX - start.x) * start.direction) / start.width
    setMinutes(within(Math.round((start.minutes + moved) / step) * step, part))
  }
  function key(event: KeyboardEvent<HTMLElement>) {
    const isMirrored = event.currentTarget.closest('[dir="rtl"]') !== null
    const [more, less] = isMirrored ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const to = {
      [more]: minutes + step,
      ArrowUp: minutes + step,
      [less]: minutes - step,
      ArrowDown: minutes - step,
      PageUp: minutes + 4 * step,
      PageDown: minutes - 4 * step,
      Home: part.least,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setMinutes(within(to, part))
  }
  return (
    <span
      role="slider"
      tabIndex={0}
      className={styles.handle}
      aria-label={t(`form.${part.label}`)}
      aria-valuemin={part.least}
      aria-valuemax={part.most}
      aria-valuenow={minutes}
      aria-valuetext={times.duration(minutes)}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={() => (from.current = null)}
      onPointerCancel={() => (from.current = null)}
      onKeyDown={key}
    />
  )
}

function Bar({ form, minutes }: { form: ServiceForm; minutes: Minutes }) {
  const { t } = useTranslation('services')
  const bar = useRef<HTMLDivElement>(null)
  const parts = minutes.idleMinutes > 0 ? [work, wait, finish, clean] : [work, clean]
  const total = parts.reduce((sum, { name }) => sum + minutes[name], 0)
  const setMinutes = (name: PartName, to: number) =>
    form.setValue(name, to, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  return (
    <div ref={bar} className={styles.bar}>
      {parts.map((part) => (
        <div key={part.name} className={styles.partPlace} style={{ flexGrow: Math.max(minutes[part.name], total / 9), flexBasis: 0 }}>
          <div className={classNames(styles.part, styles[part.label])}>
            <b className="tabular">{minutes[part.name]}</b>
            <Handle
              part={part}
              minutes={minutes[part.name]}
              setMinutes={(to) => setMinutes(part.name, to)}
              minuteWidth={() => (bar.current?.clientWidth ?? total) / Math.max(total, 1)}
            />
          </div>
          <span className={`fine muted ${styles.partName}`}>{t(`form.${part.label}`)}</span>
        </div>
      ))}
    </div>
  )
}

function MinutesField({ form, part }: { form: ServiceForm; part: Part }) {
  const { t } = useTranslation('services')
  return (
    <Field
      label={t(`form.${part.label}`)}
      type="number"
      inputMode="numeric"
      step={step}
      min={part.least}
      max={part.most}
      end={<span className="small muted">{t('form.minutes')}</span>}
      error={form.formState.errors[part.name]?.message}
      {...form.register(part.name, { valueAsNumber: true })}
    />
  )
}

function FreeHands({ menu, id, minutes }: { menu: Menu; id: string | null; minutes: number }) {
  const { t } = useTranslation('services')
  const times = useTimes()
  const fitting = fittingService(menu, id, minutes)
  return (
    <Notice tone="success" icon="clock" title={t('form.free', { minutes: times.duration(minutes) })}>
      {fitting && `${t('form.fits', { name: wordIn(fitting.name, times.locale) })} `}
      {t('form.freeText')}
    </Notice>
  )
}

export function DurationEditor({ form, menu, id }: { form: ServiceForm; menu: Menu; id: string | null }) {
  const { t } = useTranslation('services')
  const times = useTimes()
  const minutes = useMinutes(form)
  const length = lengthOf(minutes)
  const hasWait = minutes.idleMinutes > 0
  function setParts(parts: ReturnType<typeof withWait>) {
    for (const name of ['activeMinutes', 'idleMinutes', 'activeAfterMinutes'] as const)
      form.setValue(name, parts[name], { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  return (
    <section className={styles.part1}>
      <div className={styles.lengthLine}>
        <h2 className={styles.heading}>{t('form.time')}</h2>
        <bdi className={`serif tabular ${styles.total}`}>{times.duration(length)}</bdi>
      </div>
      <Bar form={form} minutes={minutes} />
      {hasWait && <FreeHands menu={menu} id={id} minutes={minutes.idleMinutes} />}
      <div role="group" aria-label={t('form.presets')} className={styles.chips}>
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            aria-pressed={length === preset}
            className={classNames(styles.chip, 'tabular', length === preset && styles.chosen)}
            onClick={() => setParts(partsOfLength(preset, minutes))}
          >
            {preset}
          </button>
        ))}
        <Button
          variant="outline"
          size="small"
          icon={hasWait ? 'minus' : 'plus'}
          onClick={() => setParts(hasWait ? withoutWait(minutes) : withWait(minutes))}
        >
          {t(hasWait ? 'form.removeWait' : 'form.addWait')}
        </Button>
      </div>
      <div className={styles.minutes}>
        <MinutesField form={form} part={work} />
        {hasWait && <MinutesField form={form} part={wait} />}
        {hasWait && <MinutesField form={form} part={finish} />}
        <MinutesField form={form} part={clean} />
      </div>
    </section>
  )
}
