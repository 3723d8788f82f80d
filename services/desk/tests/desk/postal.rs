//! Postal codes.

use kit::error::ServiceError;
use kit_db::test::TestDatabase;
use proto::desk::LookUpRequest;
use proto::desk::postal_service_client::PostalServiceClient;

use crate::world::{Desk, World};

const TOWNS: &str = "\
4980000\t三重県\t桑名郡木曽岬町\t\tミエケン\tクワナグンキソサキチョウ\t
4980000\t愛知県\t弥富市\t\tアイチケン\tヤトミシ\t
1000001\t東京都\t千代田区\t千代田\tトウキョウト\tチヨダク\tチヨダ
";

async fn look_up(desk: &Desk, code: &str) -> Result<Vec<String>, tonic::Status> {
    let request = LookUpRequest { postal_code: code.to_owned() };
    let answer = PostalServiceClient::new(desk.channel()).look_up(request).await?.into_inner();
    let line = |town: proto::desk::Town| {
        [town.prefecture, town.city, town.town, town.prefecture_kana, town.city_kana, town.town_kana]
            .join("/")
    };
    Ok(answer.towns.into_iter().map(line).collect())
}

async fn import(database: &TestDatabase, text: &str) -> Result<u64, kit::Failure> {
    let file = std::env::temp_dir().join(format!("postal-{}", uuid::Uuid::now_v7()));
    std::fs::write(&file, text).unwrap();
    let outcome = desk::postal::import_towns(&database.pool, &file).await;
    std::fs::remove_file(&file).unwrap();
    outcome
}

#[tokio::test]
async fn a_code_has_one_several_or_no_towns() {
    let world = World::new().await;
    assert_eq!(import(&world.database, TOWNS).await.unwrap(), 3);
    assert_eq!(import(&world.database, TOWNS).await.unwrap(), 3, "a second import changes nothing");
    let desk = world.serve("smtp://127.0.0.1:1").await;
    assert_eq!(
        look_up(&desk, "1000001").await.unwrap(),
        ["東京都/千代田区/千代田/トウキョウト/チヨダク/チヨダ"]
    );
    let shared = look_up(&desk, "4980000").await.unwrap();
    assert_eq!(shared.len(), 2);
    assert!(shared[0].starts_with("愛知県/弥富市//"), "{shared:?}");
    assert!(look_up(&desk, "9999999").await.unwrap().is_empty());
    for junk in ["", "100000", "10000011", "100-0001", "１０００００１"] {
        let problem = ServiceError::from_status(&look_up(&desk, junk).await.unwrap_err());
        assert_eq!(problem.fields[0].code, "INVALID_FORMAT", "{junk}");
    }
}

#[tokio::test]
async fn an_invalid_file_changes_nothing() {
    let world = World::new().await;
    import(&world.database, TOWNS).await.unwrap();
    for wrong in ["", "4980000\tonly\n", "498-0000\ta\tb\tc\td\te\tf\n", &format!("{TOWNS}{TOWNS}")] {
        import(&world.database, wrong).await.unwrap_err();
    }
    assert_eq!(world.text("SELECT count(*)::text FROM postal_town").await, ["3"]);
}
