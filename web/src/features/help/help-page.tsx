// Help Center: questions by topic, found by a word, and a way to a person.
import { useDeferredValue, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { supportEmail } from '#/platform/brand.ts'
import { PageHead } from '#/platform/page-head.tsx'
import { paths } from '#/paths.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { CoverImage } from '#/ui/cover-image.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { Field } from '#/ui/field.tsx'
import { preloadSlopingFace } from '#/theme/fonts.ts'
import { QuestionGroup } from './question-group.tsx'
import { matchingGroups, type Group } from './questions.ts'
import styles from './help-page.module.css'

export const handle = { namespaces: ['help'] }

const topicIcons: Readonly<Record<string, IconName>> = {
  booking: 'calendar',
  changes: 'repeat',
  paying: 'receipt',
  account: 'user',
  ranking: 'list',
  institutes: 'home-visit',
}

function Topics({ groups }: { groups: readonly Group[] }) {
  const { t } = useTranslation('help')
  return (
    <nav className={styles.topics} aria-label={t('topics')}>
      {groups.map(({ id, title, text, questions }) => (
        <a key={id} href={`#${id}`} className={styles.topic}>
          <Icon name={topicIcons[id] ?? 'help'} size={24} className={styles.topicIcon} />
          <span className="d4">{title}</span>
          <span className="muted">{text}</span>
          <span className="small muted">{t('found', { count: questions.length })}</span>
        </a>
      ))}
    </nav>
  )
}

function Person() {
  const { t } = useTranslation('help')
  return (
    <aside className={`raised ${styles.person}`}>
      <h2 className="d4">{t('person.title')}</h2>
      <p className="small muted">{t('person.text')}</p>
      <a href={`mailto:${supportEmail}`} className={buttonClass({ wide: true })}>
        <Icon name="mail" />
        {t('person.action')}
      </a>
      <p className="small muted">
        <bdi>{supportEmail}</bdi>
      </p>
    </aside>
  )
}

function Opening({ value, onChange, count }: { value: string; onChange: (value: string) => void; count: number }) {
  const { t } = useTranslation('help')
  return (
    <div className={styles.opening}>
      <div>
        <h1 className={`d1 ${styles.title}`}>
          {t('title.first')} <br />
          <i>{t('title.second')}</i>
        </h1>
        <div className={styles.search} role="search">
          <Field
            label={t('search')}
            labelHidden
            type="search"
            placeholder={t('searchHint')}
            start={<Icon name="search" />}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <p role="status" className="small muted">
            {value.trim() === '' ? '' : t('found', { count })}
          </p>
        </div>
      </div>
      <div className={`desktop-only ${styles.picture}`}>
        <CoverImage category="counseling" seed="help" eager />
      </div>
    </div>
  )
}

export default function HelpPage() {
  const { t, i18n } = useTranslation('help')
  preloadSlopingFace(i18n.language)
  const [text, setText] = useState('')
  const asked = useDeferredValue(text)
  const all = t('groups', { returnObjects: true })
  const groups = matchingGroups(all, asked)
  const searching = asked.trim() !== ''
  const count = groups.reduce((sum, { questions }) => sum + questions.length, 0)
  return (
    <div className="page">
      <PageHead title={t('head')} description={t('description')} path={paths.help} />
      <Opening value={text} onChange={setText} count={count} />
      {!searching && <Topics groups={all} />}
      <div className={styles.answers}>
        <div>
          {groups.map((group) => (
            <QuestionGroup key={group.id} group={group} open={searching} />
          ))}
          {count === 0 && <p className="lede">{t('none')}</p>}
        </div>
        <Person />
      </div>
    </div>
  )
}
