//! Users, groups, and facts about the machine.

use host::user;

#[test]
fn the_superuser_is_found_by_name_and_by_number() {
    let root = user::user_by_id(0).unwrap().unwrap();
    assert_eq!(user::user_by_name(&root.name).unwrap().as_ref(), Some(&root));
    assert!(user::users().contains(&root));
    let group = user::group_by_id(0).unwrap().unwrap();
    assert_eq!(user::group_by_name(&group.name).unwrap().as_ref(), Some(&group));
    assert!(user::groups().contains(&group));
    assert_eq!(user::user_by_name(b"nobody by this name"), Ok(None));
}

#[test]
fn the_machine_describes_itself() {
    assert_eq!(user::system_name().system, b"Linux");
    assert!(user::processors() >= 1);
    let value = |name| user::CONFIGURATION_NAMES.iter().find(|(known, _)| *known == name).unwrap().1;
    assert_eq!(user::system_configuration(value("SC_PAGESIZE")), Ok(Some(host::memory::page_size() as i64)));
    assert_eq!(user::system_configuration(99_999), Err(host::Errno(libc::EINVAL)));
    assert!(user::configuration_string(value("CS_PATH")).unwrap().unwrap().starts_with(b"/"));
    assert_eq!(host::fs::path_limit(b"/", value("PC_NAME_MAX")), Ok(Some(255)));
}
