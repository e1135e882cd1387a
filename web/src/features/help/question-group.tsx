// One topic of the Help Center; each question opens without scripts.
import { Icon } from '#/theme/icons/icon.tsx'
import type { Group } from './questions.ts'
import styles from './help-page.module.css'

/** `open` shows all answers at once, as a search does. */
export function QuestionGroup({ group, open }: { group: Group; open: boolean }) {
  return (
    <section id={group.id} className={styles.group}>
      <h2 className="d3">{group.title}</h2>
      {group.questions.map(({ id, question, answers }) => (
        <details key={`${id}${open}`} id={id} className={styles.question} open={open}>
          <summary>
            {question}
            <Icon name="plus" className={styles.plus} />
          </summary>
          {answers.map((answer) => (
            <p key={answer}>{answer}</p>
          ))}
        </details>
      ))}
    </section>
  )
}
