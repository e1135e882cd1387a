// The home page as professionals see it before they have an account.
import { useTranslation } from '#/platform/translation.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { paths, registerPath } from '#/paths.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass, ButtonLink } from '#/ui/button.tsx'
import { preloadSlopingFace } from '#/theme/fonts.ts'
import { ProDiary } from './pro-diary.tsx'
import styles from './pro-view.module.css'

const columns = [
  { icon: 'calendar', title: 'people', text: 'peopleText' },
  { icon: 'receipt', title: 'money', text: 'moneyText' },
  { icon: 'users', title: 'memory', text: 'memoryText' },
] as const

const steps = ['general', 'services', 'team', 'gallery', 'payment', 'review'] as const
const stepsId = 'steps'

/** Registration with the professional's role already chosen. */
export const proRegisterPath = `${registerPath()}?role=isPro`

function Opening() {
  const { t } = useTranslation('home')
  return (
    <section className={`page ${styles.opening}`}>
      <div>
        <h1 className={`d1 ${styles.title}`}>
          {t('pro.first')}
          <br />
          {t('pro.second')}{' '}
          <i>
            {t('pro.third')}
            <br />
            {t('pro.fourth')}
          </i>
        </h1>
        <p className={`lede ${styles.lede}`}>{t('pro.description')}</p>
        <div className={styles.ways}>
          <ButtonLink to={proRegisterPath} size="large">
            {t('pro.open')}
          </ButtonLink>
          <a href={`#${stepsId}`} className={buttonClass({ variant: 'text', size: 'large' }, styles.see)}>
            {t('pro.see')}
            <Icon name="arrow" />
          </a>
        </div>
      </div>
      <ProDiary />
    </section>
  )
}

function Steps() {
  const { t } = useTranslation('home')
  return (
    <section className={`page ${styles.apart} ${styles.steps}`} id={stepsId} aria-labelledby="steps-title">
      <div>
        <h2 className="d2" id="steps-title">
          {t('pro.steps.first')}
          <br />
          {t('pro.steps.second')}
        </h2>
        <p className={`muted ${styles.large} ${styles.waits}`}>{t('pro.steps.text')}</p>
      </div>
      <ol>
        {steps.map((step, index) => (
          <li key={step} className={styles.step}>
            <span className={`serif tabular ${styles.number}`} aria-hidden="true">
              {index + 1}
            </span>
            <span className={`serif ${styles.name}`}>{t(`pro.steps.${step}`)}</span>
            <span className="muted desktop-only">{t(`pro.steps.${step}Text`)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

export function ProView() {
  const { t, i18n } = useTranslation('home')
  preloadSlopingFace(i18n.language)
  return (
    <>
      <PageHead title={t('pro.title')} description={t('pro.description')} path={paths.homeForProfessionals} image="/og/home.png" />
      <Opening />
      <div className={`page ${styles.apart} ${styles.columns}`}>
        {columns.map(({ icon, title, text }) => (
          <section key={title}>
            <Icon name={icon} size={30} className={styles.icon} />
            <h2 className={`d4 ${styles.columnTitle}`}>{t(`pro.columns.${title}`)}</h2>
            <p className={`muted ${styles.large}`}>{t(`pro.columns.${text}`)}</p>
          </section>
        ))}
      </div>
      <Steps />
    </>
  )
}
