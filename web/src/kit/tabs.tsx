// Parts of one page that are looked at one at a time. Parts with an address of their own are links instead.
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as Root } from 'react-aria-components'
import { classNames } from './class-names.ts'
import styles from './tabs.module.css'

export type TabsProps = {
  label: string
  tabs: readonly { id: string; label: string; content: ReactNode }[]
  selected?: string
  onChange?: (id: string) => void
}

export function Tabs({ label, tabs, selected, onChange }: TabsProps) {
  return (
    <Root {...(selected !== undefined && { selectedKey: selected })} onSelectionChange={(key) => onChange?.(String(key))}>
      <TabList className={classNames(styles.list)} aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={classNames(styles.tab)}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={classNames(styles.panel)}>
          {tab.content}
        </TabPanel>
      ))}
    </Root>
  )
}
