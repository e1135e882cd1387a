export default function AppointmentListPage() {
  return <h1 className="page section d2">AppointmentListPage</h1>;
}
