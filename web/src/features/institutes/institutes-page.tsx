export default function InstitutesPage() {
  return <h1 className="page section d2">InstitutesPage</h1>;
}
