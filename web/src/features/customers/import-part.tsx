// A list that is brought along: counted first, with what its columns are, then brought in.
import { type ImportField, importFields, type ImportReport } from '@soigne/contract/customer-imports'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { dashboardKeys } from '#/dashboard-keys.ts'
import { paths } from '#/paths.ts'
import { dashboardApi } from '#/platform/dashboard-api.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { SelectField } from '#/ui/select-field.tsx'
import { showToast } from '#/ui/toasts.ts'
import { showFailure } from './refusal.ts'
import styles from './merge.module.css'

type Mapping = readonly (ImportField | null)[]

const ask = (file: File, mapping: Mapping | null, isDry: boolean): Promise<ImportReport> =>
  dashboardApi.importCustomers({
    body: { dryRun: isDry ? 'true' : 'false', ...(mapping && { mapping: JSON.stringify(mapping) }) },
    files: { file },
  })

function Columns({ report, mapping, onMap }: { report: ImportReport; mapping: Mapping; onMap: (mapping: Mapping) => void }) {
  const { t } = useTranslation('customers')
  const options = importFields.map((value) => ({ value, label: t(`bring.fields.${value}`) }))
  function choose(at: number, value: string) {
    const field = importFields.find((one) => one === value) ?? null
    // A field is taken once: it leaves the column it was in.
    onMap(mapping.map((one, index) => (index === at ? field : one === field ? null : one)))
  }
  return (
    <section className={styles.block}>
      <h2 className="d4">{t('bring.columns')}</h2>
      <div className={styles.columns}>
        {report.columns.map(({ heading, example }, index) => (
          <SelectField
            // Headings may repeat; their places do not.
            key={`${index} ${heading}`}
            label={<bdi>{heading || '–'}</bdi>}
            hint={example && t('bring.example', { value: example })}
            placeholder={t('bring.skip')}
            options={options}
            value={mapping[index] ?? ''}
            onChange={({ target }) => choose(index, target.value)}
          />
        ))}
      </div>
    </section>
  )
}

function Counts({ report }: { report: ImportReport }) {
  const { t } = useTranslation('customers')
  const counts = [
    { count: report.added, label: t('bring.counts.added') },
    { count: report.known, label: t('bring.counts.known', { filled: report.filled }) },
    { count: report.doubles, label: t('bring.counts.doubles') },
    { count: report.faultyRows, label: t('bring.counts.faulty') },
  ]
  return (
    <dl className={styles.counts}>
      {counts.map(({ count, label }) => (
        <div key={label}>
          <dt className="small muted">{label}</dt>
          <dd className="d3 serif">{count}</dd>
        </div>
      ))}
    </dl>
  )
}

function Faults({ report }: { report: ImportReport }) {
  const { t } = useTranslation('customers')
  if (report.faulty.length === 0) return null
  return (
    <section className={styles.block}>
      <h2 className="d4">{t('bring.faults')}</h2>
      <ul className={styles.faults}>
        {report.faulty.map(({ line, reason, value }) => (
          <li key={line}>
            <span className="strong tabular">{t('bring.line', { line })}</span>
            <span>{t(`bring.reasons.${reason}`)}</span>
            <bdi className="muted truncate">{value}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

const mappingOf = (report: ImportReport): Mapping => report.columns.map(({ field }) => field)

function useImport() {
  const { t } = useTranslation('customers')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [report, setReport] = useState<ImportReport | null>(null)
  // A column stands as it was chosen at once; what that brings is counted after it.
  const [mapping, setMapping] = useState<Mapping>([])
  const [work, setWork] = useState<'count' | 'bring' | null>(null)
  const newest = useRef(0)
  async function send(chosen: File, asked: Mapping | null, isDry: boolean) {
    const turn = ++newest.current
    const isOvertaken = () => turn !== newest.current
    setWork(isDry ? 'count' : 'bring')
    try {
      const answer = await ask(chosen, asked, isDry)
      if (isOvertaken()) return
      setFile(chosen)
      setReport(answer)
      setMapping(mappingOf(answer))
      if (answer.isDone) {
        await queries.invalidateQueries({ queryKey: dashboardKeys.customers.all })
        showToast({ type: 'success', title: t('bring.done') })
        await navigate(paths.customers)
      }
    } catch (error) {
      if (isOvertaken()) return
      if (report) setMapping(mappingOf(report))
      showFailure(error)
    }
    setWork(null)
  }
  function map(chosen: Mapping) {
    if (!file || work === 'bring') return
    setMapping(chosen)
    void send(file, chosen, true)
  }
  return {
    report,
    mapping,
    isBusy: work !== null,
    choose: (chosen: File) => work !== 'bring' && send(chosen, null, true),
    map,
    bring: () => file && report && send(file, mapping, false),
  }
}

export function ImportPart() {
  const { t } = useTranslation('customers')
  const chooser = useRef<HTMLInputElement>(null)
  const { report, mapping, isBusy, choose, map, bring } = useImport()
  const isNothing = report !== null && report.added + report.filled === 0
  return (
    <>
      <Link to={paths.customers} className={styles.back}>
        <Icon name="chevron-start" size={18} />
        {t('back')}
      </Link>
      <h1 className="d2">{t('bring.title')}</h1>
      <p className={`muted ${styles.lead}`}>{t('bring.text')}</p>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".csv,.txt,text/csv,text/plain"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void choose(file)
          target.value = ''
        }}
      />
      <Button variant={report ? 'outline' : 'solid'} icon="attach" loading={isBusy && !report} onClick={() => chooser.current?.click()}>
        {t(report ? 'bring.other' : 'bring.choose')}
      </Button>
      {report && (
        <>
          <Counts report={report} />
          <Columns report={report} mapping={mapping} onMap={map} />
          <Faults report={report} />
          <div className={styles.bring}>
            <Button loading={isBusy} disabled={isNothing} onClick={() => void bring()}>
              {isNothing
                ? t('bring.nothing')
                : report.added > 0
                  ? t('bring.action', { count: report.added })
                  : t('bring.fill', { count: report.filled })}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
