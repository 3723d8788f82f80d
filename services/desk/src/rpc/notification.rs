//! `desk.v1.NotificationService`.

use kit::caller::CallerOf as _;
use kit::timestamp::to_timestamp;
use proto::desk as wire;
use proto::desk::notification_service_server::NotificationService;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit};
use crate::error::Error;
use crate::mail;
use crate::notification::setting::{self, QuietHours, Settings, names_of, parse_topics};

#[tonic::async_trait]
impl NotificationService for Desk {
    async fn get_notification_settings(
        &self,
        request: Request<wire::GetNotificationSettingsRequest>,
    ) -> Result<Response<wire::GetNotificationSettingsResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let settings = setting::find(&mut connection, account).await.map_err(Error::from)?;
        let bounced = mail::find_bounce(&mut connection, account).await.map_err(Error::from)?;
        Ok(Response::new(wire::GetNotificationSettingsResponse {
            settings: Some(encode(&settings)),
            mail_bounced_at: bounced.map(to_timestamp),
        }))
    }

    async fn set_notification_settings(
        &self,
        request: Request<wire::SetNotificationSettingsRequest>,
    ) -> Result<Response<wire::SetNotificationSettingsResponse>, Status> {
        let account = request.caller()?.account()?;
        let settings = parse(&request.into_inner().settings.unwrap_or_default())?;
        self.save_settings(account, &settings).await?;
        Ok(Response::new(wire::SetNotificationSettingsResponse {}))
    }

    async fn unsubscribe(
        &self,
        request: Request<wire::UnsubscribeRequest>,
    ) -> Result<Response<wire::UnsubscribeResponse>, Status> {
        let topic = self.switch_mail_off(&request.into_inner().token).await?;
        Ok(Response::new(wire::UnsubscribeResponse { topic }))
    }
}

impl Desk {
    async fn save_settings(&self, account: Uuid, settings: &Settings) -> Result<(), Error> {
        let mut transaction = self.pool.begin().await?;
        setting::save(&mut transaction, account, settings, self.clock.now()).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(())
    }

    async fn switch_mail_off(&self, token: &str) -> Result<String, Error> {
        let parsed = self.notifier.unsubscriber().parse_token(token);
        let (account, topic) = parsed.ok_or(Error::NotFound)?;
        let mut transaction = self.pool.begin().await?;
        setting::switch_mail_off(&mut transaction, account, topic, self.clock.now()).await?;
        commit(transaction).await?;
        Ok(topic.name().to_owned())
    }
}

fn parse(settings: &wire::NotificationSettings) -> Result<Settings, Error> {
    let quiet = settings.quiet_hours.as_ref();
    Ok(Settings {
        mail_off: parse_topics("mail_off", &settings.mail_off)?,
        push_off: parse_topics("push_off", &settings.push_off)?,
        quiet_hours: quiet.map(|quiet| QuietHours::new(quiet.from, quiet.until)).transpose()?,
    })
}

fn encode(settings: &Settings) -> wire::NotificationSettings {
    let quiet = |quiet: QuietHours| wire::QuietHours { from: quiet.from().into(), until: quiet.until().into() };
    wire::NotificationSettings {
        mail_off: names_of(&settings.mail_off),
        push_off: names_of(&settings.push_off),
        quiet_hours: settings.quiet_hours.map(quiet),
    }
}
